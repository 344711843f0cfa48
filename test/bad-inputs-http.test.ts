import { http } from './support/bad-input-http.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Http', http);
