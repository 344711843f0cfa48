import { bearsBadInput } from './support/bad-input.ts';
import { query } from './support/bad-input-query.ts';

bearsBadInput('Query/path', query);
