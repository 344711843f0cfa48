import pg from 'pg';

/**
 * Makes a database misbehave towards events by their titles: `sleep <seconds>` takes so long to insert, and as long again
 * for its call times together; `fail <SQLSTATE> <n>` fails so the first n times since the last `RESTART`.
 */
export const misbehaviour = `
  CREATE SEQUENCE failures;
  CREATE FUNCTION misbehave_on_event() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE words text[] := string_to_array(NEW.title, ' ');
  BEGIN
    IF words[1] = 'sleep' THEN PERFORM pg_sleep(words[2]::float); END IF;
    IF words[1] = 'fail' AND nextval('failures') <= words[3]::int THEN RAISE 'on purpose' USING ERRCODE = words[2]; END IF;
    RETURN NEW;
  END $$;
  CREATE FUNCTION misbehave_on_call_time() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_sleep(split_part(title, ' ', 2)::float / 3) FROM events
      WHERE business_id = NEW.business_id AND id = NEW.event_id AND title LIKE 'sleep %';
    RETURN NEW;
  END $$;
  CREATE TRIGGER misbehave AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION misbehave_on_event();
  CREATE TRIGGER misbehave AFTER INSERT ON call_times FOR EACH ROW EXECUTE FUNCTION misbehave_on_call_time();`;

/** A session beside the service's. */
export async function openSession(url: string): Promise<pg.Client> {
  const session = new pg.Client(url);
  session.on('error', () => undefined);
  await session.connect();
  return session;
}
