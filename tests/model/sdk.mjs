// SPDX-License-Identifier: MIT
//
// node sdk.mjs MODULES PORT LIST: the official SDKs as clients of the proxy.
// LIST is JSON: [behaviour, server's API] pairs. Prints one JSON line a case:
// what the SDK made of the answer, or the error it threw.
import { createRequire } from 'node:module';

const [modules, list] = process.argv.slice(2);
const require = createRequire(modules + '/x.js');
const OpenAI = require('openai').default;
const Anthropic = require('@anthropic-ai/sdk').default;

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['C', 'F'] } },
  required: ['city'],
  additionalProperties: false,
};
const none = { type: 'object', properties: {} };
const defs = [['get_weather', schema, 'Weather of a city.'], ['get_time', none, 'The time now.']];
const ask = [{ role: 'user', content: 'Weather in Paris?' }];

const clients = {
  async chat(port, model, stream) {
    const c = new OpenAI({ apiKey: 'x', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0, timeout: 20000 });
    const body = {
      model, messages: ask,
      tools: defs.map(([name, parameters, description]) => ({ type: 'function', function: { name, description, parameters } })),
    };
    if (model.includes('unwanted')) body.parallel_tool_calls = false;
    const r = stream
      ? await c.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
      : await c.chat.completions.create(body);
    const m = r.choices[0].message;
    return {
      text: m.content ?? '', stop: r.choices[0].finish_reason, usage: r.usage,
      calls: (m.tool_calls ?? []).map((t) => ({ id: t.id, name: t.function.name, args: JSON.parse(t.function.arguments) })),
    };
  },
  async responses(port, model, stream) {
    const c = new OpenAI({ apiKey: 'x', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0, timeout: 20000 });
    const body = {
      model, input: ask,
      tools: defs.map(([name, parameters, description]) => ({ type: 'function', name, description, parameters, strict: false })),
    };
    if (model.includes('unwanted')) body.parallel_tool_calls = false;
    let r;
    if (stream) {
      // the helper's finalResponse() does not know response.incomplete
      const s = c.responses.stream(body);
      for await (const event of s)
        if (['response.completed', 'response.incomplete'].includes(event.type)) r = event.response;
      r ??= await s.finalResponse();
    } else {
      r = await c.responses.create(body);
    }
    return {
      text: r.output_text ?? '', stop: r.status, usage: r.usage,
      calls: r.output.filter((i) => i.type === 'function_call')
        .map((i) => ({ id: i.call_id, name: i.name, args: JSON.parse(i.arguments) })),
    };
  },
  async anthropic(port, model, stream) {
    const c = new Anthropic({ apiKey: 'x', baseURL: `http://127.0.0.1:${port}`, maxRetries: 0, timeout: 20000 });
    const body = {
      model, max_tokens: 100, messages: ask,
      tools: defs.map(([name, input_schema, description]) => ({ name, description, input_schema })),
    };
    if (model.includes('unwanted')) body.tool_choice = { type: 'auto', disable_parallel_tool_use: true };
    const r = stream ? await c.messages.stream(body).finalMessage() : await c.messages.create(body);
    return {
      text: r.content.filter((b) => b.type === 'text').map((b) => b.text).join(''),
      stop: r.stop_reason, usage: r.usage,
      calls: r.content.filter((b) => b.type === 'tool_use').map((b) => ({ id: b.id, name: b.name, args: b.input })),
    };
  },
};

const jobs = [];
for (const [behaviour, up, port] of JSON.parse(list))
  for (const sdk of Object.keys(clients))
    for (const stream of [false, true]) jobs.push({ behaviour, up, port, sdk, stream });

async function run(j) {
  const model = `${j.behaviour}#sdk-${j.sdk}-${j.up}-${j.stream}`;
  try {
    j.answer = await clients[j.sdk](j.port, model, j.stream);
  } catch (e) {
    j.error = { name: e.constructor.name, status: e.status ?? null, message: String(e.message) };
  }
  console.log(JSON.stringify(j));
}

const workers = Array.from({ length: 16 }, async () => {
  while (jobs.length) await run(jobs.shift());
});
await Promise.all(workers);
