import { bearsBadInput } from './support/bad-input.ts';
import { credentials } from './support/bad-input-credentials.ts';

bearsBadInput('Credentials', credentials);
