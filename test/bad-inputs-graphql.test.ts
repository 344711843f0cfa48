import { graphql } from './support/bad-input-graphql.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Graphql', graphql);
