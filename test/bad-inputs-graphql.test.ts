import { bearsBadInput } from './support/bad-input.ts';
import { graphql } from './support/bad-input-graphql.ts';

bearsBadInput('Graphql', graphql);
