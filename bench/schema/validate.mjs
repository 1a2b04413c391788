// SPDX-License-Identifier: MIT
// One case of bench/schema, measured with ajv: the figures of validate.c.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.argv[2] + "/");
const Ajv = require("ajv/dist/2020").default;
const test = JSON.parse(readFileSync(process.argv[3], "utf8"));
const ROUNDS = 7;
const MIN_US = 20000;

function measure(run, count, batch = 256) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    let done = 0;
    const start = process.cpuUsage();
    let used;
    do {
      for (let k = 0; k < batch; k++) run(k % count);
      done += batch;
      const now = process.cpuUsage(start);
      used = now.user + now.system;
    } while (used < MIN_US);
    best = Math.min(best, (used * 1000) / done);
  }
  return best.toFixed(1);
}

function expect(got, want) {
  if (got !== want) throw new Error("wrong verdict");
}

// A function of its own for each list, so that none is tuned to another's.
const compile = () => new Ajv({ strict: false }).compile(test.schema);
const texts = test.valid.map((v) => JSON.stringify(v));

function verdicts(values, want) {
  const validate = compile();
  const run = (i) => expect(validate(values[i]), want);
  measure(run, values.length);
  return measure(run, values.length);
}

function parsing() {
  const validate = compile();
  return measure((i) => expect(validate(JSON.parse(texts[i])), true), texts.length);
}

console.log("alike", verdicts(test.alike, true));
console.log("valid", verdicts(test.valid, true));
console.log("invalid", verdicts(test.invalid, false));
console.log("parse_and_valid", parsing());
console.log("compile", measure(compile, 1, 2));
