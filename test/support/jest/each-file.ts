import { afterAll } from '@jest/globals';
import { expectBoundStatements, forgetStatements } from '../sql-watch.ts';

/* Jest runs this before each test file. */
forgetStatements();
afterAll(expectBoundStatements);
