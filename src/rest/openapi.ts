import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { limits } from '../config/limits.ts';
import { screenSentence } from '../fields/grants.ts';
import { version } from '../version.ts';
import { nameShapes } from './components.ts';
import { ConflictProblem } from './conflict-problems.ts';
import { InputProblem, Problem, UserInputProblem, UserProblem } from './envelopes.ts';
import { addExamples, examples as recordedExamples, type Examples } from './examples.ts';
import { optionalBody } from './route-description.ts';
import { spellTexts } from './spell-texts.ts';
import { tags, type Tag } from './tags.ts';

const scopesOfOperation =
  'It may be narrowed to scopes: each operation lists those that it needs in `x-required-scopes`.';

interface OpenApiParts {
  readonly examples?: Examples | undefined;
}

/** Collects the OpenAPI document from the routes that are registered afterwards, and serves it. */
export const openApi = fp(async (app: FastifyInstance, { examples = recordedExamples }: OpenApiParts) => {
  for (const problem of [Problem, ConflictProblem, InputProblem, UserProblem, UserInputProblem]) app.addSchema(problem);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Callboard: Event Staffing Service',
        version,
        description: [
          'Read, create and update events with their call times, work shifts and custom fields; manage users and credentials.',
          'Everything is scoped to the business of the caller: data of another business is answered as not found.',
          'Operations marked `x-callboard-extension` are extensions of the documented contract. The same service speaks GraphQL at `/graphql`.',
        ].join('\n\n'),
        contact: { name: 'The operator of this service' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This service' }],
      components: {
        securitySchemes: {
          personalToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: `Personal access token, from \`POST /v1/auth/login\`; expires after ${limits.credentialLifetimeS} seconds. ${scopesOfOperation}`,
          },
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'cbk_…',
            description: `Business API key: long-lived, for backend services. ${scopesOfOperation}`,
          },
          boardToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'cbs_…',
            description: `Board token of a screen, until it is revoked. ${screenSentence}`,
          },
        },
      },
    },
    transformObject: (document) =>
      'openapiObject' in document
        ? addExamples(spellTexts(nameShapes(listTags(markOptionalBodies(document.openapiObject)))), examples)
        : {},
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, index) => (typeof $id === 'string' ? $id : `Shape${index}`),
    },
  });
  let text: string | undefined;
  app.get(
    '/openapi.json',
    { schema: { hide: true }, config: { entry: 'page', answer: 'document' } },
    (_request, reply) => reply.type('application/json; charset=utf-8').send((text ??= JSON.stringify(app.swagger()))),
  );
});

interface Operation {
  readonly requestBody?: object;
  readonly [optionalBody]?: true;
}

/** `@fastify/swagger` says of every body that it must be sent. */
function markOptionalBodies<D extends object>(document: D): D {
  const { paths = {} } = document as { paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
  const marked = ({ [optionalBody]: isOptional, ...operation }: Operation) =>
    isOptional ? { ...operation, requestBody: { ...operation.requestBody, required: false } } : operation;
  const mapValues = <A, B>(of: Readonly<Record<string, A>>, to: (value: A) => B) =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value)]));
  return { ...document, paths: mapValues(paths, (methods) => mapValues(methods, marked)) };
}

interface Paths {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, { tags?: Tag[] }>>>>;
}

/** Lists the tags of all routes, in the order of the routes: the reference shows its sections in that order. */
function listTags<D extends object>(document: D): D {
  const { paths = {} } = document as Paths;
  const names = Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags: own = [] }) => own));
  return { ...document, tags: [...new Set(names)].map((name) => ({ name, description: tags[name] })) };
}
