// SPDX-License-Identifier: MIT
//
// A session of an official SDK client that is asked: direct calls and programs,
// each answered in every way a person can. Prints a JSON line.
//
//     node approvals.mjs MODULES v1|v2 legacy|auto (--http URL | CMD ARG...)
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, version, era, ...rest] = process.argv.slice(2);
const require = createRequire(modules + '/');
const load = (name) => import(pathToFileURL(require.resolve(name)));
const url = rest[0] === '--http' ? new URL(rest[1]) : null;
const child = { command: rest[0], args: rest.slice(1), stderr: 'inherit',
                env: process.env };
const options = { capabilities: { elicitation: { form: {} } } };
let cards = [], reply = { action: 'accept', content: { decision: 'once' } };
const decide = (request) => {
  cards.push(request.params.message);
  return reply;
};
let client, transport;

if (version === 'v1') {
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } =
    await load('@modelcontextprotocol/sdk/client/stdio.js');
  const { StreamableHTTPClientTransport } =
    await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { ElicitRequestSchema } =
    await load('@modelcontextprotocol/sdk/types.js');
  client = new Client({ name: 't', version: '1' }, options);
  client.setRequestHandler(ElicitRequestSchema, decide);
  transport = url ? new StreamableHTTPClientTransport(url)
                  : new StdioClientTransport(child);
} else {
  const m = await load('@modelcontextprotocol/client');
  const { StdioClientTransport } =
    await load('@modelcontextprotocol/client/stdio');
  client = new m.Client({ name: 't', version: '1' }, era === 'auto'
    ? { ...options, versionNegotiation: { mode: 'auto' } } : options);
  client.setRequestHandler('elicitation/create', decide);
  transport = url ? new m.StreamableHTTPClientTransport(url)
                  : new StdioClientTransport(child);
}
await client.connect(transport);
const call = (name, args) => client.callTool({ name, arguments: args });
const ways = {
  once: { action: 'accept', content: { decision: 'once' } },
  deny: { action: 'accept', content: { decision: 'deny' } },
  decline: { action: 'decline' },
  cancel: { action: 'cancel' },
  alike: { action: 'accept', content: { decision: 'alike' } },
};
const out = {};
const note = async (name, way, what) => {
  reply = ways[way];
  cards = [];
  let got;
  try {
    got = await what();
  } catch (e) {
    got = { threw: String(e) };
  }
  out[name] = { cards: cards.length, card: cards[0] ?? '',
    error: got.isError ?? false, text: got.content?.[0]?.text ?? got.threw,
    value: got.structuredContent?.value ?? null };
};
const names = (await client.listTools()).tools.map((t) => t.name);
const direct = names.includes('mail__send');
for (const way of ['once', 'deny', 'decline', 'cancel'])
  if (direct)
    await note('direct ' + way, way,
      () => call('mail__send', { to: `${way}@x.test`, body: 'hi' }));
const caught = (to) => `try:
    r = mail.send(to='${to}@x.test', body='hi')
except Exception as e:
    r = str(e)
r`;
const code = names.includes('run_code');
for (const way of code ? ['once', 'deny', 'decline', 'cancel'] : [])
  await note('code ' + way, way, () => call('run_code', { code: caught(way) }));
if (code) await note('loop', 'alike', () => call('run_code', { code:
  "for i in range(50):\n    mail.send(to='n%d@x.test' % i, body='hi')\n'all'" }));
if (code) await note('loop once', 'once', () => call('run_code', { code:
  "for i in range(3):\n    mail.send(to='o%d@x.test' % i, body='hi')\n'all'" }));
console.log(JSON.stringify(out));
await client.close();
process.exit(0);
