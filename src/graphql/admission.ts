import type { ApolloServerPlugin } from '@apollo/server';
import {
  Kind,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type DocumentNode,
} from 'graphql';
import { limits } from '../config.ts';
import { Failure, unauthenticated } from '../errors.ts';
import type { Context } from './context.ts';
import { refusal } from './failures.ts';

/** Root fields that need no credential. */
const openFields = new Set(['login', '__schema', '__type', '__typename']);

/**
 * Before anything runs: a request costs its number of root fields, and one that shows no credential but asks only for
 * what needs one is refused whole.
 */
export const admission: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      async didResolveOperation({ document, operation, contextValue }) {
        const names = operation ? rootFields(document, operation) : [];
        try {
          if (names.length > limits.graphqlRootFields)
            throw new Failure(
              'BAD_REQUEST',
              `The operation has ${names.length} root fields; at most ${limits.graphqlRootFields} are allowed.`,
            );
          if (names.length > 1) await contextValue.spend(names.length - 1);
          if (
            contextValue.scope.actor.kind === 'anonymous' &&
            names.length > 0 &&
            !names.some((name) => openFields.has(name))
          )
            throw unauthenticated();
        } catch (error) {
          throw error instanceof Failure ? refusal(error) : error;
        }
      },
    };
  },
};

/** Names of the root fields, each fragment looked into once, as execution does. */
function rootFields(document: DocumentNode, operation: OperationDefinitionNode): string[] {
  const unseen = new Map(
    document.definitions
      .filter((definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const fieldsOf = ({ selections }: SelectionSetNode): string[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection.name.value];
      if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet);
      const fragment = unseen.get(selection.name.value);
      unseen.delete(selection.name.value);
      return fragment ? fieldsOf(fragment.selectionSet) : [];
    });
  return fieldsOf(operation.selectionSet);
}
