import { bearsBadInput } from './support/bad-input.ts';
import { body } from './support/bad-input-body.ts';

bearsBadInput('Body', body);
