import type { TObject, Static } from 'typebox';
import { Arg, Ctx, Mutation, Query, Resolver, type ClassType } from 'type-graphql';
import type { createCatalog } from '../services/catalogs.ts';
import type { Context } from './context.ts';
import { IdempotencyKey, withKeyArgument } from './idempotency.ts';
import { readInput } from './inputs.ts';
import { RowId } from './row-ids.ts';
import { expectVersion, ExpectedVersion } from './versions.ts';

interface CatalogTypes<New extends TObject, Changes extends TObject> {
  readonly row: ClassType;
  /** A service says what a new row lacks. */
  readonly newRow: ClassType<Partial<Static<New>> & object>;
  readonly changes: ClassType<Static<Changes> & object>;
}

/** How the schema describes a change, and its argument. */
interface Described {
  readonly update: string;
  readonly input: string;
}

/** Makes the resolver of a catalog: its list, and fields to read, create, change and delete a row. */
export function createCatalogResolver<
  Row extends { readonly id: number },
  New extends TObject,
  Changes extends TObject,
>(
  operations: ReturnType<typeof createCatalog<Row, New, Changes>>,
  types: CatalogTypes<New, Changes>,
  described: Described,
): ClassType {
  const { model, one, many, label, noun, aNoun, nouns, uses } = operations.catalog;
  const refused = uses ? ` Refused with code CONFLICT, and counts in \`extensions.inUse\`, ${uses.inGraphql}.` : '';

  @Resolver(() => types.row)
  class CatalogResolver {
    @Query(() => [types.row], {
      name: many,
      nullable: true,
      description: `The ${nouns} of the business, by ${label}. For admins.`,
    })
    list(@Ctx() { scope }: Context) {
      return operations.list(scope, {});
    }

    @Query(() => types.row, {
      name: one,
      nullable: true,
      description: `One ${noun}; null, with an error, if there is none. For admins.`,
    })
    get(@Ctx() { scope }: Context, @RowId(model) id: number) {
      return operations.get(scope, { id });
    }

    @Mutation(() => types.row, {
      name: `create${model}`,
      nullable: true,
      description: `Creates ${aNoun}. For admins.`,
    })
    create(
      @Ctx() { scope }: Context,
      @Arg('input', () => types.newRow, { description: `The new ${noun}.` }) input: Static<New> & object,
      @IdempotencyKey() key: IdempotencyKey,
    ) {
      return operations.create(withKeyArgument(scope, key), readInput(input));
    }

    @Mutation(() => types.row, { name: `update${model}`, nullable: true, description: described.update })
    update(
      @Ctx() { scope }: Context,
      @RowId(model) id: number,
      @ExpectedVersion() version: ExpectedVersion,
      @Arg('input', () => types.changes, { description: described.input }) input: Static<Changes> & object,
    ) {
      return operations.update(scope, { ...readInput(input), id, ...expectVersion(version) });
    }

    @Mutation(() => types.row, {
      name: `delete${model}`,
      nullable: true,
      description: `Deletes ${aNoun} permanently and returns its last state.${refused} For admins.`,
    })
    remove(@Ctx() { scope }: Context, @RowId(model) id: number, @ExpectedVersion() version: ExpectedVersion) {
      return operations.remove(scope, { id, ...expectVersion(version) });
    }
  }
  return CatalogResolver;
}
