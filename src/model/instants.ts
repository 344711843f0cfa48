import { GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { parseInstant } from '../time/instants.ts';

const { parseValue, parseLiteral, ...config } = GraphQLDateTimeISO.toConfig();

/** DateTimeISO, which takes what REST takes: instants without seconds as well. */
export const GraphQLInstant = new GraphQLScalarType<Date, string>({
  ...config,
  parseValue: (value) => (typeof value === 'string' ? parseInstant(value) : null) ?? parseValue(value),
  // With one parameter: graphql-jit compiles no literals of scalars that look at variables.
  parseLiteral: (node) => (node.kind === Kind.STRING ? parseInstant(node.value) : null) ?? parseLiteral(node),
});
