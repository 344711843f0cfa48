import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

const asText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  throw new GraphQLError('A Decimal is written as text, such as "25.50".');
};

/** Money and other exact numbers are text throughout, so that no float rounds them. The service checks their range. */
export const GraphQLDecimal = new GraphQLScalarType<string, string>({
  name: 'Decimal',
  description: 'An exact decimal number as text with two decimals, such as "25.50"; amounts of money are in USD.',
  serialize: asText,
  parseValue: asText,
  parseLiteral: (node) => asText(node.kind === Kind.STRING ? node.value : undefined),
});
