import { bearsBadInput } from './support/bad-input.ts';
import { logins } from './support/bad-input-login.ts';

bearsBadInput('Login', logins);
