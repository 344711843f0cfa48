-- AlterTable
ALTER TABLE "businesses" ADD COLUMN     "unique_resource_ids" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "unique_resource_id" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "events_business_id_unique_resource_id_key" ON "events"("business_id", "unique_resource_id");

-- The resource id of an event that is not deleted, where its business says that they are unique. The business is locked,
-- so that an event is not written while its business changes its mind.
CREATE FUNCTION claim_resource_id() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  are_unique BOOLEAN;
BEGIN
  NEW.unique_resource_id := NULL;
  IF NEW.resource_id <> '' AND NEW.status <> 'deleted' THEN
    SELECT b.unique_resource_ids INTO are_unique FROM businesses b WHERE b.id = NEW.business_id FOR SHARE;
    IF are_unique THEN
      NEW.unique_resource_id := NEW.resource_id;
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER claim_resource_id BEFORE INSERT OR UPDATE OF resource_id, status ON "events" FOR EACH ROW EXECUTE FUNCTION claim_resource_id();
