import { Prisma, type PrismaClient } from '../generated/prisma/client.ts';

type Client = Pick<PrismaClient, '$executeRaw' | Uncapitalize<Prisma.ModelName>>;

interface Lazy {
  readonly bind: () => Client;
}

/**
 * Makes a bound client that creates Prisma's client when one of its models is first used, because that costs more than
 * most reads, which do not use Prisma. The properties of `own` are available without it:
 * src/guide/performance.md#prisma-client-on-demand
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
