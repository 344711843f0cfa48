import { body } from './support/bad-input-body.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Body', body);
