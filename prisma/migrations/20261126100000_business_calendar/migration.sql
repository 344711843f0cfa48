-- CreateEnum
CREATE TYPE "Weekday" AS ENUM ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday');

-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "timezone" TEXT NOT NULL DEFAULT 'UTC',
ADD COLUMN     "week_start" "Weekday" NOT NULL DEFAULT 'monday';

ALTER TABLE "businesses" ADD CONSTRAINT "businesses_timezone_check" CHECK (char_length("timezone") <= 64 AND "timezone" ~ '[^[:space:]]');

-- A business that is there already has the zone of most of its events. No trigger runs: to processes of the last release nothing changes.
ALTER TABLE "businesses" DISABLE TRIGGER USER;
UPDATE "businesses" AS b
   SET timezone = z.timezone
  FROM (SELECT DISTINCT ON (business_id) business_id, timezone
          FROM events WHERE status <> 'deleted'
         GROUP BY business_id, timezone ORDER BY business_id, count(*) DESC, timezone) AS z
 WHERE z.business_id = b.id;
ALTER TABLE "businesses" ENABLE TRIGGER USER;
