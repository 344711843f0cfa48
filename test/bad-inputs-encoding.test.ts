import { encoding } from './support/bad-input-encoding.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Encoding', encoding);
