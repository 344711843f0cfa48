-- AlterTable
ALTER TABLE "positions" ADD COLUMN     "announced_rates" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- A position's rate holds until another one takes its place, now or on an announced day. The row of the position is locked here. What
-- has held until now is kept; what is to hold afterwards is written anew: the rate of the position up to the first announced day, and
-- then each of those announced. An announced rate whose day has come is that of the position, unless the change names another one.
CREATE OR REPLACE FUNCTION keep_former_rate() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment CONSTANT TIMESTAMPTZ := coalesce(nullif(current_setting('callboard.now', TRUE), '')::timestamptz, clock_timestamp());
  held RECORD;
  rate NUMERIC;
  unit "PayUnit";
  announced TEXT;
  begins TIMESTAMPTZ;
  is_same CONSTANT BOOLEAN := OLD.default_pay_rate = NEW.default_pay_rate AND OLD.pay_unit = NEW.pay_unit;
BEGIN
  SELECT coalesce(former.pay_rate, OLD.default_pay_rate) AS pay_rate, coalesce(former.pay_unit, OLD.pay_unit) AS pay_unit INTO held
    FROM (SELECT 1) AS one
    LEFT JOIN LATERAL (
         SELECT r.pay_rate, r.pay_unit FROM position_rates r
          WHERE r.business_id = OLD.business_id AND r.position_id = OLD.id AND r.ends_at > moment
          ORDER BY r.ends_at LIMIT 1) AS former ON TRUE;
  IF is_same THEN
    NEW.default_pay_rate := held.pay_rate;
    NEW.pay_unit := held.pay_unit;
  END IF;
  DELETE FROM position_rates r WHERE r.business_id = OLD.business_id AND r.position_id = OLD.id AND r.ends_at > moment;
  IF held.pay_rate <> NEW.default_pay_rate OR held.pay_unit <> NEW.pay_unit THEN
    INSERT INTO position_rates (business_id, position_id, ends_at, pay_rate, pay_unit)
    VALUES (OLD.business_id, OLD.id, moment, held.pay_rate, held.pay_unit) ON CONFLICT DO NOTHING;
  END IF;
  rate := NEW.default_pay_rate;
  unit := NEW.pay_unit;
  FOREACH announced IN ARRAY NEW.announced_rates LOOP
    -- A day that has come meanwhile begins now.
    begins := greatest(split_part(announced, ' ', 1)::timestamptz, moment + interval '1 microsecond');
    INSERT INTO position_rates (business_id, position_id, ends_at, pay_rate, pay_unit) VALUES (OLD.business_id, OLD.id, begins, rate, unit);
    rate := split_part(announced, ' ', 2)::numeric;
    unit := split_part(announced, ' ', 3)::"PayUnit";
  END LOOP;
  IF cardinality(NEW.announced_rates) > 0 THEN
    INSERT INTO position_rates (business_id, position_id, ends_at, pay_rate, pay_unit)
    VALUES (OLD.business_id, OLD.id, '9999-12-31 00:00Z', rate, unit);
  END IF;
  NEW.rate_version := OLD.rate_version + 1;
  RETURN NEW;
END
$$;

-- As src/db/registry.ts asks for it.
CREATE OR REPLACE TRIGGER former_rate BEFORE UPDATE ON "positions" FOR EACH ROW WHEN (OLD.default_pay_rate <> NEW.default_pay_rate OR OLD.pay_unit <> NEW.pay_unit OR OLD.announced_rates <> NEW.announced_rates) EXECUTE FUNCTION keep_former_rate();
