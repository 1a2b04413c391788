// SPDX-License-Identifier: MIT
//
// One session of an official SDK client: connect, list, call, read, prompt,
// answer a question, and in v1 make calls as tasks. Prints a JSON line.
//
//     node mcp_clients.mjs MODULES v1|v2 legacy|auto (--http URL | CMD ARG...)
import { call, connect, finish, isFirst } from '../tools/sdk_client.mjs';

const client = await connect(
  { elicitation: { form: {} }, roots: {} },
  () => ({ action: 'accept', content: { name: 'zoe' } }));
const text = (r) => r.content[0].text;
const tools = (await client.listTools()).tools.map((t) => t.name);
const progress = [];
const out = {
  tools: tools.length,
  call: text(await call(client, 'echo', { message: 'hi' })),
  progress: (await call(client, 'test_tool_with_progress', {},
    { onprogress: (p) => progress.push(p.progress) }), progress),
  asked: text(await call(client, 'test_elicitation', { message: 'm' })),
  resource: (await client.readResource({ uri: 'test://static-text' }))
    .contents[0].text,
  prompt: (await client.getPrompt({ name: 'test_simple_prompt' }))
    .messages[0].content.text,
};
if (isFirst) {
  const tasks = client.experimental.tasks;
  const asTask = async (name, args) => {
    const seen = [];
    let last;
    for await (last of tasks.callToolStream({ name, arguments: args },
                                            undefined, { task: {} }))
      seen.push(last.type);
    return [seen[0], last.result ? text(last.result) : String(last.error)];
  };
  out.task = await asTask('slow_compute', { seconds: 0.2 });
  out.taskAsked = await asTask('confirm_delete', { filename: 'a' });
  out.taskCount = (await tasks.listTasks()).tasks.length;
}
await finish(client, out);
