// SPDX-License-Identifier: MIT
//
// {"name": "text", ...} on standard input, {"name": tokens, ...} on standard
// output, in the vocabulary o200k.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.argv[2] + '/');
const { encode } = await import(
  pathToFileURL(require.resolve('gpt-tokenizer/encoding/o200k_base')));
let input = '';
for await (const piece of process.stdin) input += piece;
const texts = JSON.parse(input);
console.log(JSON.stringify(Object.fromEntries(
  Object.entries(texts).map(([k, v]) => [k, encode(v).length]))));
