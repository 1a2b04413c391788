// SPDX-License-Identifier: MIT
//
// One session of an official SDK client with the three tools of code mode:
// search, describe, run, progress, a question, a call that is cancelled, a run
// that is asked for later. Prints a JSON line.
//
//     node code_hosts.mjs MODULES v1|v2 legacy|auto (--http URL | CMD ARG...)
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, version, era, ...rest] = process.argv.slice(2);
const require = createRequire(modules + '/');
const load = (name) => import(pathToFileURL(require.resolve(name)));
const url = rest[0] === '--http' ? new URL(rest[1]) : null;
const child = { command: rest[0], args: rest.slice(1), stderr: 'inherit',
                env: process.env };
const options = { capabilities: { elicitation: { form: {} } } };
const cards = [];
const decide = (request) => {
  cards.push(request.params.message);
  return { action: 'accept', content: { decision: 'once' } };
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
const call = (name, args, more) => client.callTool(
  { name, arguments: args }, ...(version === 'v1' ? [undefined, more] : [more]));
const text = (r) => r.content[0].text;
const progress = [];
const out = {
  tools: (await client.listTools()).tools.map((t) => t.name).sort(),
  found: text(await call('search_tools', { query: 'read the notebook' })),
  described: text(await call('describe_tools', { names: ['note.read'] })),
  value: (await call('run_code', {
    code: 'sum(len(note.read(n=i)["items"]) for i in range(5))' },
    { onprogress: (p) => progress.push(p.message) })).structuredContent.value,
  asked: (await call('run_code', { code: 'note.write(text="x")\n"done"' }))
    .structuredContent.value,
};
out.progress = progress.length;
out.card = cards.join('');
const stop = new AbortController();
setTimeout(() => stop.abort(), 300);
out.cancelled = await call('run_code', { code: 'note.slow(n=30)\n1' },
  { signal: stop.signal }).then(() => false, () => true);
const later = (await call('run_code', { code: 'note.slow(n=1)\n"late"' }))
  .structuredContent;
out.late = (await call('run_code', { run: later.run })).structuredContent.state;
console.log(JSON.stringify(out));
await client.close();
process.exit(0);
