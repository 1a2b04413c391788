// SPDX-License-Identifier: MIT
//
// A client of an official SDK, connected as the program's arguments say:
//
//     MODULES v1|v2 legacy|auto (--http URL | CMD ARG...)
//
// `answer` is given each question (an elicitation) and returns the reply.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, version, era, ...rest] = process.argv.slice(2);
const require = createRequire(modules + '/');
const load = (name) => import(pathToFileURL(require.resolve(name)));
const url = rest[0] === '--http' ? new URL(rest[1]) : null;
const child = { command: rest[0], args: rest.slice(1), stderr: 'inherit',
                env: process.env };
const me = { name: 't', version: '1' };

const first = async (options, answer) => {
  const part = (name) => load('@modelcontextprotocol/sdk/' + name);
  const { Client } = await part('client/index.js');
  const { StdioClientTransport } = await part('client/stdio.js');
  const { StreamableHTTPClientTransport } =
    await part('client/streamableHttp.js');
  const { ElicitRequestSchema } = await part('types.js');
  const client = new Client(me, options);
  client.setRequestHandler(ElicitRequestSchema, answer);
  await client.connect(url ? new StreamableHTTPClientTransport(url)
                           : new StdioClientTransport(child));
  return client;
};

const second = async (options, answer) => {
  const m = await load('@modelcontextprotocol/client');
  const { StdioClientTransport } =
    await load('@modelcontextprotocol/client/stdio');
  const client = new m.Client(me, era === 'auto'
    ? { ...options, versionNegotiation: { mode: 'auto' } } : options);
  client.setRequestHandler('elicitation/create', answer);
  await client.connect(url ? new m.StreamableHTTPClientTransport(url)
                           : new StdioClientTransport(child));
  return client;
};

export const isFirst = version === 'v1';

export const connect = (capabilities, answer) =>
  (isFirst ? first : second)({ capabilities }, answer);

// v1 has the schema of the result before the options.
export const call = (client, name, args, options) => client.callTool(
  { name, arguments: args }, ...(isFirst ? [undefined, options] : [options]));

export const finish = async (client, out) => {
  console.log(JSON.stringify(out));
  await client.close();
  process.exit(0);
};
