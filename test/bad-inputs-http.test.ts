import { bearsBadInput } from './support/bad-input.ts';
import { http } from './support/bad-input-http.ts';

bearsBadInput('Http', http);
