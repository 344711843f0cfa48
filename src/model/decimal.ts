import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new GraphQLError('A Decimal is written as text, such as "25.50".');
};

/** Money and other exact numbers: text all the way, so that no float ever touches them. Its range is the service's to check. */
export const GraphQLDecimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description: 'An exact decimal number as text with two decimals, such as "25.50"; amounts of money are in USD.',
  serialize: asText,
  parseValue: asText,
  parseLiteral: (node) => asText(node.kind === Kind.STRING ? node.value : undefined),
});
