/** True for a run that repeats what depends on chance more often than the gate has time for. */
export const isThorough = Boolean(process.env['TEST_THOROUGH']);
