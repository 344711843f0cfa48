-- CreateIndex
CREATE INDEX "row_changes_business_id_kind_row_id_idx" ON "row_changes"("business_id", "kind", "row_id");

-- CreateIndex
CREATE INDEX "row_changes_business_id_uuid_idx" ON "row_changes"("business_id", "uuid");
