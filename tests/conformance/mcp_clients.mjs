// SPDX-License-Identifier: MIT
//
// One session of an official SDK client: connect, list, call, read, prompt,
// answer a question, and in v1 make calls as tasks. Prints a JSON line.
//
//     node mcp_clients.mjs MODULES v1|v2 legacy|auto (--http URL | CMD ARG...)
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, version, era, ...rest] = process.argv.slice(2);
const require = createRequire(modules + '/');
const load = (name) => import(pathToFileURL(require.resolve(name)));
const url = rest[0] === '--http' ? new URL(rest[1]) : null;
const child = { command: rest[0], args: rest.slice(1), stderr: 'inherit',
                env: process.env };
const options = { capabilities: { elicitation: { form: {} }, roots: {} } };
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
  client.setRequestHandler(ElicitRequestSchema, () => (
    { action: 'accept', content: { name: 'zoe' } }));
  transport = url ? new StreamableHTTPClientTransport(url)
                  : new StdioClientTransport(child);
} else {
  const m = await load('@modelcontextprotocol/client');
  const { StdioClientTransport } =
    await load('@modelcontextprotocol/client/stdio');
  client = new m.Client({ name: 't', version: '1' }, era === 'auto'
    ? { ...options, versionNegotiation: { mode: 'auto' } } : options);
  client.setRequestHandler('elicitation/create', () => (
    { action: 'accept', content: { name: 'zoe' } }));
  transport = url ? new m.StreamableHTTPClientTransport(url)
                  : new StdioClientTransport(child);
}
await client.connect(transport);
const text = (r) => r.content[0].text;
const tools = (await client.listTools()).tools.map((t) => t.name);
const progress = [];
const out = {
  tools: tools.length,
  call: text(await client.callTool({ name: 'echo',
                                     arguments: { message: 'hi' } })),
  progress: (await client.callTool(
    { name: 'test_tool_with_progress', arguments: {} }, ...(version === 'v1'
      ? [undefined, { onprogress: (p) => progress.push(p.progress) }]
      : [{ onprogress: (p) => progress.push(p.progress) }])), progress),
  asked: text(await client.callTool({ name: 'test_elicitation',
                                      arguments: { message: 'm' } })),
  resource: (await client.readResource({ uri: 'test://static-text' }))
    .contents[0].text,
  prompt: (await client.getPrompt({ name: 'test_simple_prompt' }))
    .messages[0].content.text,
};
if (version === 'v1') {
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
console.log(JSON.stringify(out));
await client.close();
process.exit(0);
