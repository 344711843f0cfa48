import type { tracing } from '@opentelemetry/sdk-node';

type ReadableSpan = tracing.ReadableSpan;
type SpanExporter = tracing.SpanExporter;

/** Attributes that hold names and numbers of ours. Whatever else an instrumentation adds stays here. */
const exportedAttributes = new Set([
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'url.path',
  'fastify.type',
  'hook.name',
  'graphql.operation.type',
  'db.system',
  'db.system.name',
  'db.namespace',
  'db.operation.name',
  // Of prepared statements: their values are sent apart.
  'db.query.text',
  'db.statement',
  'error.type',
  'server.address',
  'server.port',
  'model',
  'method',
]);

/** Passes on what is told above: no message, no stack, nothing that a client chose. */
export class FilteringSpanExporter implements SpanExporter {
  private readonly exporter: SpanExporter;
  private readonly onLost: () => void;

  constructor(exporter: SpanExporter, onLost: () => void) {
    this.exporter = exporter;
    this.onLost = onLost;
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans.map(filterSpan), (result) => {
      if (result.error) this.onLost();
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}

function filterSpan(span: ReadableSpan): ReadableSpan {
  const { kind, parentSpanContext, startTime, endTime, duration, ended, resource, instrumentationScope } = span;
  return {
    kind,
    startTime,
    endTime,
    duration,
    ended,
    resource,
    instrumentationScope,
    ...(parentSpanContext && { parentSpanContext }),
    name: nameOf(span),
    spanContext: () => span.spanContext(),
    status: { code: span.status.code },
    attributes: Object.fromEntries(Object.entries(span.attributes).filter(([name]) => exportedAttributes.has(name))),
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** An operation of GraphQL would be called as its client calls it. */
function nameOf({ name, instrumentationScope, attributes }: ReadableSpan): string {
  if (!instrumentationScope.name.endsWith('instrumentation-graphql') || name.startsWith('graphql.')) return name;
  const type = attributes['graphql.operation.type'];
  return typeof type === 'string' ? `graphql.execute ${type}` : 'graphql.execute';
}
