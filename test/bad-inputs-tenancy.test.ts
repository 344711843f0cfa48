import { bearsBadInput } from './support/bad-input.ts';
import { tenancy } from './support/bad-input-tenancy.ts';

bearsBadInput('Tenancy', tenancy);
