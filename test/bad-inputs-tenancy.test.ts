import { tenancy } from './support/bad-input-tenancy.ts';
import { bearsBadInput } from './support/bad-input.ts';

bearsBadInput('Tenancy', tenancy);
