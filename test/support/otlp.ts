import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  /** Name of the instrumentation. */
  readonly scope: string;
  readonly name: string;
}

export interface Collector {
  readonly url: string;
  /** All bodies so far. */
  readonly bytes: () => Buffer;
  readonly spans: () => ReceivedSpan[];
  close(): void;
}

/** Starts a trace collector for OTLP/HTTP; a deaf one accepts spans and never answers. */
export async function startCollector({ isDeaf = false } = {}): Promise<Collector> {
  const bodies: Buffer[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      if (!isDeaf) response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => Buffer.concat(bodies),
    spans: () => bodies.flatMap(spansOf),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** ExportTraceServiceRequest of the OTLP protocol: resource_spans (1) > scope_spans (2) > scope (1) and spans (2). */
const spansOf = (body: Buffer): ReceivedSpan[] =>
  inside(body, 1).flatMap((resourceSpans) =>
    inside(resourceSpans, 2).flatMap((scopeSpans) => {
      const scope = text(inside(scopeSpans, 1)[0], 1);
      return inside(scopeSpans, 2).map((span) => ({
        traceId: inside(span, 1)[0]?.toString('hex') ?? '',
        spanId: inside(span, 2)[0]?.toString('hex') ?? '',
        parentId: inside(span, 4)[0]?.toString('hex') ?? '',
        scope,
        name: text(span, 5),
      }));
    }),
  );

const text = (message: Buffer | undefined, field: number): string =>
  (message && inside(message, field)[0]?.toString()) ?? '';

/** The length-delimited values of a field of a protobuf message. */
function inside(message: Buffer, wanted: number): Buffer[] {
  const values: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [field, type] = [tag >>> 3, tag & 7];
    if (type === 0) varint();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else {
      const length = varint();
      if (field === wanted) values.push(message.subarray(at, at + length));
      at += length;
    }
  }
  return values;
}
