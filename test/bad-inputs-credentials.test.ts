import { credentials } from './support/bad-input-credentials.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Credentials', credentials);
