import { logins } from './support/bad-input-login.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Login', logins);
