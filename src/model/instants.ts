import { GraphQLScalarType, Kind } from 'graphql';
import { GraphQLDateTimeISO } from 'graphql-scalars';
import { parseInstant } from '../time/instants.ts';

const { parseValue, parseLiteral, ...config } = GraphQLDateTimeISO.toConfig();

const readInstant = (value: unknown): Date =>
  (typeof value === 'string' ? parseInstant(value) : null) ?? parseValue(value);

/** DateTimeISO, which takes what REST takes: instants without seconds as well. */
export const GraphQLInstant = new GraphQLScalarType<Date, string>({
  ...config,
  parseValue: readInstant,
  // With one parameter: graphql-jit compiles no literals of scalars that look at variables.
  parseLiteral: (node) => (node.kind === Kind.STRING ? readInstant(node.value) : parseLiteral(node)),
});
