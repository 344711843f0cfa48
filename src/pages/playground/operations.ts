import { Kind, OperationTypeNode, parse, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import type { GraphQLRequest } from '../application/service.ts';

export interface ParsedQuery {
  readonly document: DocumentNode;
  readonly operations: OperationDefinitionNode[];
}

/** Returns null if the text is not a valid document. */
export function parseQuery(query: string): ParsedQuery | null {
  try {
    const document = parse(query);
    const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    return { document, operations };
  } catch {
    return null;
  }
}

export function findOperation({ query, operationName }: GraphQLRequest): OperationDefinitionNode | undefined {
  const operations = parseQuery(query)?.operations ?? [];
  return operations.find(({ name }) => name?.value === operationName) ?? operations[0];
}

/** Whether the request only reads, so that it may be sent once more. */
export const isRead = (request: GraphQLRequest): boolean =>
  findOperation(request)?.operation === OperationTypeNode.QUERY;

/** Whether a text only reads, whichever of its operations is run. Only such a text is run without a click. */
export function onlyReads(query: string): boolean {
  const operations = parseQuery(query)?.operations ?? [];
  return operations.length > 0 && operations.every(({ operation }) => operation === OperationTypeNode.QUERY);
}
