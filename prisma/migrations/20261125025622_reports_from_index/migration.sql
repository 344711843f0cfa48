-- Events in the order of their start, with what reports by day and by client read: they do without the rows, which are wide.
CREATE INDEX "events_business_id_starts_at_idx" ON "events"("business_id", "starts_at", "id", "status", "ends_at", "start_local", "client_id");

-- DropIndex
DROP INDEX "events_business_id_starts_at_id_status_idx";
