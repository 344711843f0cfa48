import * as graphql from 'graphql';
import { limits } from '../config/limits.ts';
import { pickKeys } from '../validation/compile.ts';

/**
 * Cuts wrong variables to what their refusal needs, in place: graphql-js writes each object that has a fault into a message, once for
 * each of its faults. What is cut stays wrong, and right variables stay as they are.
 */
export function cutWrongVariables(
  schema: graphql.GraphQLSchema,
  { variableDefinitions = [] }: graphql.OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  for (const { variable, type: node } of variableDefinitions) {
    const type = graphql.typeFromAST(schema, node as graphql.NamedTypeNode);
    const { value: name } = variable.name;
    if (graphql.isInputType(type) && Object.hasOwn(variables, name)) variables[name] = cut(variables[name], type);
  }
}

function cut(value: unknown, type: graphql.GraphQLInputType): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (graphql.isNonNullType(type)) return cut(value, type.ofType);
  if (graphql.isListType(type))
    return Array.isArray(value) ? value.map((item) => cut(item, type.ofType)) : cut(value, type.ofType);
  // No scalar of an input takes an object or a list.
  if (Array.isArray(value)) return [];
  if (!graphql.isInputObjectType(type)) return {};
  const fields = type.getFields();
  const known = Object.keys(fields);
  const hasMany = Object.keys(value).length > known.length + limits.errorFieldsMax;
  const sent = hasMany ? pickKeys(value as Record<string, unknown>, known) : (value as Record<string, unknown>);
  for (const name of known) if (Object.hasOwn(sent, name)) sent[name] = cut(sent[name], fields[name]!.type);
  return sent;
}
