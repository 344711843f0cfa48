import { webhookTypes } from '../../src/fields/webhook-types.ts';
import type { TestApp } from './app.ts';

/* The operations on webhooks, called through REST and through GraphQL with one outcome. */

export interface Webhook {
  readonly uuid: string;
  readonly secret?: string;
  readonly [field: string]: unknown;
}

/** What a call gave: `OK` with the answer in REST's names, or the code of the failure with its errors. */
interface Outcome {
  readonly code: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers freely
  readonly it: any;
  readonly errors: Record<string, string[]>;
  readonly message: string;
}

export type Way = (as: string, operation: WebhookOperation, names: Names, input?: object) => Promise<Outcome>;
type Names = { uuid?: string; message?: string };
type WebhookOperation = keyof typeof calls;

const webhookFields =
  'uuid url description types disabledAt disabledReason failingSince previousSecretExpiresAt createdAt updatedAt';
const messageFields = 'uuid type status attemptCount nextAttemptAt createdAt deliveredAt payload';
const own = ({ uuid }: Names) => `id: "${uuid}"`;

/** Each operation: its route, and its field with its arguments and selection. */
const calls = {
  list: ['GET', () => '', () => 'query', () => `webhookEndpoints { ${webhookFields} }`],
  get: ['GET', at(), () => 'query', (n: Names) => `webhookEndpoint(${own(n)}) { ${webhookFields} }`],
  create: [
    'POST',
    () => '',
    () => 'mutation ($input: CreateWebhookEndpointInput!)',
    () => `createWebhookEndpoint(input: $input) { webhookEndpoint { ${webhookFields} } secret }`,
  ],
  update: [
    'PUT',
    at(),
    () => 'mutation ($input: UpdateWebhookEndpointInput!)',
    (n: Names) => `updateWebhookEndpoint(${own(n)}, input: $input) { ${webhookFields} }`,
  ],
  remove: ['DELETE', at(), () => 'mutation', (n: Names) => `deleteWebhookEndpoint(${own(n)}) { ${webhookFields} }`],
  rotate: [
    'POST',
    at('/actions/rotate'),
    () => 'mutation',
    (n: Names) => `rotateWebhookSecret(${own(n)}) { webhookEndpoint { ${webhookFields} } secret }`,
  ],
  disable: [
    'POST',
    at('/actions/disable'),
    () => 'mutation',
    (n: Names) => `disableWebhookEndpoint(${own(n)}) { ${webhookFields} }`,
  ],
  enable: [
    'POST',
    at('/actions/enable'),
    () => 'mutation ($skipMissed: Boolean)',
    (n: Names) => `enableWebhookEndpoint(${own(n)}, skipMissed: $skipMissed) { ${webhookFields} }`,
  ],
  test: [
    'POST',
    at('/actions/test'),
    () => 'mutation',
    (n: Names) => `sendTestWebhook(webhookEndpointId: "${n.uuid}") { ${messageFields} }`,
  ],
  messages: [
    'GET',
    at('/messages'),
    () => 'query ($filter: WebhookMessageFilter, $page: Int, $perPage: Int)',
    ({ uuid }: Names) =>
      `webhookEndpoint(id: "${uuid}") { messages(filter: $filter, page: $page, perPage: $perPage) { nodes { ${messageFields} } } }`,
  ],
  attempts: [
    'GET',
    ({ uuid, message }: Names) => `/${uuid}/messages/${message}/attempts`,
    () => 'query',
    ({ uuid }: Names) =>
      `webhookEndpoint(id: "${uuid}") { messages { nodes { uuid attempts { at statusCode durationMs error response } } } }`,
  ],
  resend: [
    'POST',
    ({ uuid, message }: Names) => `/${uuid}/messages/${message}/actions/resend`,
    () => 'mutation',
    ({ message }: Names) => `resendWebhookMessage(id: "${message}") { ${messageFields} }`,
  ],
  resendSince: [
    'POST',
    at('/actions/resend'),
    () => 'mutation ($input: ResendWebhookMessagesInput!)',
    ({ uuid }: Names) => `resendWebhookMessages(webhookEndpointId: "${uuid}", input: $input) { resent nextCursor }`,
  ],
} as const;

function at(below = '') {
  return ({ uuid }: Names) => `/${uuid}${below}`;
}

const snake = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const spelled = (value: unknown, spell: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((each) => spelled(each, spell));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [spell(name), name === 'payload' ? inner : spelled(inner, spell)]),
  );
};
/** Enums of GraphQL as REST spells them. */
const lower = (it: unknown): unknown =>
  JSON.parse(
    JSON.stringify(it, (name, value: unknown) =>
      typeof value === 'string' && /^(types|type|status|disabled_reason|\d+)$/.test(name) && /^[A-Z_]+$/.test(value)
        ? (inRest.get(value) ?? value.toLowerCase())
        : value,
    ) ?? 'null',
  );
const inRest = new Map([...Object.keys(webhookTypes), 'webhook.test'].map((type) => [inGraphql(type), type]));
function inGraphql(type: string): string {
  return type.replace('.', '_').toUpperCase();
}

/** `service`: the one that is called, once there is one. */
export const webhookWays = (service: () => TestApp): Record<'REST' | 'GraphQL', Way> => ({
  REST: async (as, operation, names, input = {}) => {
    const [method, path] = calls[operation];
    const hasBody = operation === 'create' || operation === 'update' || operation === 'resendSince';
    const query = hasBody ? '' : new URLSearchParams(spelled(input, snake) as Record<string, string>).toString();
    const { body } = await service().call(method, `/v1/webhooks${path(names)}${query && `?${query}`}`, {
      as,
      ...(hasBody && { body: spelled(input, snake) }),
    });
    const { code = 'OK', errors = {}, message, data } = body;
    return { code, errors, message, it: operation === 'messages' ? data?.data : data };
  },
  GraphQL: async (as, operation, names, input = {}) => {
    const [, , head, field] = calls[operation];
    const { status, type, ...page } = input as { status?: string; type?: string };
    const filter = { ...(status && { status: status.toUpperCase() }), ...(type && { type: inGraphql(type) }) };
    const enums = (name: string, value: unknown) =>
      name === 'types' && Array.isArray(value)
        ? value.map((each) => (typeof each === 'string' ? inGraphql(each) : each))
        : name === 'status'
          ? String(value).toUpperCase()
          : value;
    const shaped = operation === 'messages' ? { ...page, filter } : operation === 'enable' ? input : { input };
    const variables = JSON.parse(JSON.stringify(shaped, enums)) as object;
    const { body } = await service().graphql(`${head()} { it: ${field(names)} }`, { as, variables });
    const [error] = body.errors ?? [];
    const found = lower(spelled(body.data?.it ?? null, snake)) as Record<string, unknown> | null;
    const { webhook_endpoint: webhook, messages, ...rest } = found ?? {};
    const { nodes } = (messages ?? {}) as { nodes?: { uuid: string; attempts?: object[] }[] };
    const attempts = nodes?.find(({ uuid }) => uuid === names.message)?.attempts;
    const isMissing = operation === 'attempts' && !error && !attempts;
    return {
      code: isMissing ? 'NOT_FOUND' : (error?.extensions.code ?? 'OK'),
      errors: error?.extensions.errors ?? {},
      message: error?.message ?? '',
      it: webhook ? { ...(webhook as object), ...rest } : (attempts ?? nodes ?? found),
    };
  },
});
