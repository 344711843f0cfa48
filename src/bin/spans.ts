import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';

/** Span attributes that hold only names and numbers of this service. All other attributes are dropped. */
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
  // Prepared statements contain no values; those are sent separately.
  'db.query.text',
  'db.statement',
  'error.type',
  'server.address',
  'server.port',
  'model',
  'method',
]);

/** Exports spans with the attributes above: no messages, no stacks, nothing that a client sent. */
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

/** Replaces the client's name of a GraphQL operation by its type. */
function nameOf({ name, instrumentationScope, attributes }: ReadableSpan): string {
  if (!instrumentationScope.name.endsWith('instrumentation-graphql') || name.startsWith('graphql.')) return name;
  const type = attributes['graphql.operation.type'];
  return typeof type === 'string' ? `graphql.execute ${type}` : 'graphql.execute';
}
