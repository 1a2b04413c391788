// SPDX-License-Identifier: MIT
//
// A receiver of OTLP/HTTP JSON that takes nothing on trust: every request must
// be a message of the official protocol definitions, as the OpenTelemetry
// project's own package carries them, with no field they do not know. Prints
// its port, and at the end of its input what it was sent.
//
//     node otlp_receiver.mjs MODULES
import { createRequire } from 'node:module';
import http from 'node:http';

const require = createRequire(process.argv[2] + '/');
const root = require('@opentelemetry/otlp-transformer/build/src/generated/root.js');
const Traces =
  root.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
const ids = { traceId: 16, spanId: 8, parentSpanId: 8 };
const seen = { requests: 0, spans: [], refused: [] };

// OTLP's JSON has ids in hexadecimal, where protobuf's would have base64.
const decode = (v, name) => {
  if (name in ids) {
    if (!/^[0-9a-f]*$/.test(v) || v.length !== 2 * ids[name])
      throw new Error(`${name} is not ${ids[name]} bytes in hexadecimal: ${v}`);
    return Buffer.from(v, 'hex');
  }
  if (Array.isArray(v)) return v.map((x) => decode(x));
  if (v && typeof v === 'object')
    return Object.fromEntries(
      Object.entries(v).map(([k, x]) => [k, decode(x, k)]));
  return v;
};

// A field that is lost on the way through the definitions is not theirs.
const compare = (sent, kept, path) => {
  if (Buffer.isBuffer(sent) || !sent || typeof sent !== 'object') return;
  for (const [k, v] of Object.entries(sent)) {
    if (!(k in kept)) throw new Error(`no field ${path}.${k} in the protocol`);
    compare(v, kept[k], `${path}.${k}`);
  }
};

const take = (text) => {
  const sent = decode(JSON.parse(text));
  const message = Traces.fromObject(sent);
  const wrong = Traces.verify(message);
  if (wrong) throw new Error(wrong);
  const bytes = Traces.encode(message).finish();
  const kept = Traces.toObject(Traces.decode(bytes),
                               { longs: String, enums: Number, arrays: true,
                                 defaults: true });
  compare(sent, kept, 'request');
  for (const r of kept.resourceSpans)
    for (const s of r.scopeSpans)
      for (const span of s.spans) {
        if (BigInt(span.endTimeUnixNano) < BigInt(span.startTimeUnixNano))
          throw new Error(`span ${span.name} ends before it begins`);
        seen.spans.push({ name: span.name, kind: span.kind,
          trace: Buffer.from(span.traceId).toString('hex'),
          span: Buffer.from(span.spanId).toString('hex'),
          attributes: Object.fromEntries(span.attributes.map((a) =>
            [a.key, Object.values(a.value).find((x) => x !== null)])) });
      }
};

const server = http.createServer((q, a) => {
  const pieces = [];
  q.on('data', (d) => pieces.push(d));
  q.on('end', () => {
    seen.requests++;
    try {
      if (q.method !== 'POST' || q.url !== '/v1/traces')
        throw new Error(`${q.method} ${q.url}`);
      if (q.headers['content-type'] !== 'application/json')
        throw new Error(`content type ${q.headers['content-type']}`);
      take(Buffer.concat(pieces).toString('utf8'));
      a.writeHead(200, { 'Content-Type': 'application/json' });
      a.end('{"partialSuccess":{}}');
    } catch (e) {
      seen.refused.push(e.message);
      a.writeHead(400, { 'Content-Type': 'application/json' });
      a.end(JSON.stringify({ code: 3, message: e.message }));
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => {
  process.stdout.write(JSON.stringify(seen), () => process.exit(0));
});
process.stdin.resume();
