import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';

type Client = Pick<PrismaClient, '$executeRaw' | Uncapitalize<Prisma.ModelName>>;

interface Lazy {
  readonly bind: () => Client;
}

/**
 * A bound client that is made when one of its models is first used: binding Prisma's client costs more than most reads,
 * which go past it. The properties of `own` are there without it: src/guide/performance.md#prisma-client-on-demand
 */
export function lazyClient<Own extends object>(bind: () => Client, own: Own): Client & Own {
  return Object.create(prototype, { bind: { value: bind }, ...Object.getOwnPropertyDescriptors(own) }) as Client & Own;
}

const models = Object.keys(Prisma.ModelName).map(
  (name) => (name[0] ?? '').toLowerCase() + name.slice(1),
) as Uncapitalize<Prisma.ModelName>[];

const prototype = Object.defineProperties(
  {
    $executeRaw(this: Lazy, ...args: Parameters<Client['$executeRaw']>) {
      return this.bind().$executeRaw(...args);
    },
  },
  Object.fromEntries(
    models.map((model) => [
      model,
      {
        get(this: Lazy) {
          return this.bind()[model];
        },
      },
    ]),
  ),
);
