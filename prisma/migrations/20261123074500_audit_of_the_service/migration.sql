-- What the service does by itself, such as disabling a webhook, has no caller.
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_actor_kind_check",
  ADD CONSTRAINT "audit_entries_actor_kind_check" CHECK ("actor_kind" IN ('user', 'apiKey', 'anonymous', 'operator', 'service'));
