-- How many mails an address has had within a day.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "mails_business_id_email_key_created_at_idx" ON "mails"("business_id", "email_key", "created_at");
