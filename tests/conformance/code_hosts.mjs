// SPDX-License-Identifier: MIT
//
// One session of an official SDK client with the three tools of code mode:
// search, describe, run, progress, a question, a call that is cancelled, a run
// that is asked for later. Prints a JSON line.
//
//     node code_hosts.mjs MODULES v1|v2 legacy|auto (--http URL | CMD ARG...)
import { call as callOf, connect, finish } from '../tools/sdk_client.mjs';

const cards = [];
const client = await connect({ elicitation: { form: {} } }, (request) => {
  cards.push(request.params.message);
  return { action: 'accept', content: { decision: 'once' } };
});
const call = (name, args, more) => callOf(client, name, args, more);
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
await finish(client, out);
