import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { limits } from '../config/limits.ts';
import { requirePackages } from './tracing-packages.ts';

/** Tracing that is running. */
export interface Tracing {
  /** Returns the trace and span id for a log line. */
  readonly fields: () => object;
  /** Calls the listener, at most once in a while, when the collector does not accept spans. */
  onLost(listener: () => void): void;
  /** Sends the remaining spans within a bounded time. */
  close(): Promise<void>;
}

/**
 * Starts tracing if the configuration names a collector; otherwise it returns null and loads nothing. Must run before
 * the traced libraries are imported: they are patched when they are required here.
 */
export async function startTracing({ traces, http }: Config): Promise<Tracing | null> {
  if (traces.endpoint === null) return null;
  requirePackages();
  const [
    api,
    { BatchSpanProcessor, NodeTracerProvider },
    { defaultResource, detectResources, envDetector, hostDetector, resourceFromAttributes },
    { OTLPTraceExporter },
    { FastifyOtelInstrumentation },
    { GraphQLInstrumentation },
    { PgInstrumentation },
    { IORedisInstrumentation },
    { PrismaInstrumentation },
    { FilteringSpanExporter },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@fastify/otel'),
    import('@opentelemetry/instrumentation-graphql'),
    import('@opentelemetry/instrumentation-pg'),
    import('@opentelemetry/instrumentation-ioredis'),
    import('@prisma/instrumentation'),
    import('./spans.ts'),
  ]);

  const lost = seldom(limits.resolutionS * 1000);
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector, hostDetector] }))
      .merge(resourceFromAttributes({ 'service.name': traces.serviceName })),
    spanProcessors: [new BatchSpanProcessor(new FilteringSpanExporter(new OTLPTraceExporter(), lost.tell))],
  });
  provider.register();
  // Each of these patches its library from now on, and reports to the provider that is registered.
  void [
    new FastifyOtelInstrumentation({
      registerOnInitialization: true,
      instrumentHooks: false,
      recordExceptions: false,
      requestHook: (span, { method, routeOptions: { url } }) => {
        span.updateName(url === undefined ? method : `${method} ${url}`);
        // Replaces the address, which contains values of the client.
        span.setAttribute('url.path', url ?? '');
      },
    }),
    new GraphQLInstrumentation({ ignoreResolveSpans: true }),
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
    new IORedisInstrumentation({ requireParentSpan: true, dbStatementSerializer: (command) => command }),
    new PrismaInstrumentation(),
  ];
  const require = createRequire(import.meta.url);
  for (const library of ['graphql', 'pg', 'ioredis']) require(library);

  return {
    fields: () => {
      const context = api.trace.getSpanContext(api.context.active());
      return context ? { trace_id: context.traceId, span_id: context.spanId } : {};
    },
    onLost: lost.listen,
    close: async () => {
      const flushed = provider.shutdown().catch(lost.tell);
      await Promise.race([flushed, wait(http.shutdownTimeoutMs / 4, undefined, { ref: false })]);
    },
  };
}

/** Calls a listener at most once within the pause. */
function seldom(pauseMs: number) {
  let listener = () => undefined as void;
  let toldAt = -Infinity;
  return {
    listen: (next: () => void) => {
      listener = next;
    },
    tell: () => {
      if (performance.now() - toldAt < pauseMs) return;
      toldAt = performance.now();
      listener();
    },
  };
}
