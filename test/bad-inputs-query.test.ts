import { query } from './support/bad-input-query.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Query/path', query);
