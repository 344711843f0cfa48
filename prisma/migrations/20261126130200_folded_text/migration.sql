-- Events by a part of their texts that are not plain ASCII, without regard to accents, where there is pg_trgm. The other texts are
-- in the index that is there. Writes of events wait while it is made, which depends on how many such events there are.
DO $$
DECLARE
  home TEXT;
BEGIN
  SELECT n.nspname INTO home FROM pg_extension x JOIN pg_namespace n ON n.oid = x.extnamespace WHERE x.extname = 'pg_trgm';
  IF home IS NOT NULL THEN
    EXECUTE format($index$CREATE INDEX "events_folded_text_idx" ON "events" USING gin ((regexp_replace(translate(replace(replace(replace(lower(normalize(regexp_replace(normalize(("title" || E'\n' || coalesce("venue_name", '') || E'\n' || coalesce("city", '')), NFKD), '[\u0300-\u036f\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+', '', 'g'), NFC)), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđħŧıςʼ‘’“”‐‑–—−', 'oldhtiσ''''''""-----'), '\s+', ' ', 'g')) %I.gin_trgm_ops)
      WHERE NOT (octet_length(("title" || coalesce("venue_name", '') || coalesce("city", ''))) = char_length(("title" || coalesce("venue_name", '') || coalesce("city", ''))) AND ("title" || coalesce("venue_name", '') || coalesce("city", '')) !~ '\s\s|[\t\n\v\f\r]')$index$, home);
  END IF;
END
$$;
