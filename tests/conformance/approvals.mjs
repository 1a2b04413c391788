// SPDX-License-Identifier: MIT
//
// A session of an official SDK client that is asked: direct calls and programs,
// each answered in every way a person can. Prints a JSON line.
//
//     node approvals.mjs MODULES v1|v2 legacy|auto (--http URL | CMD ARG...)
import { call as callOf, connect, finish } from '../tools/sdk_client.mjs';

let cards = [], reply = { action: 'accept', content: { decision: 'once' } };
const client = await connect({ elicitation: { form: {} } }, (request) => {
  cards.push(request.params.message);
  return reply;
});
const call = (name, args) => callOf(client, name, args);
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
await finish(client, out);
