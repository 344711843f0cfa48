-- Whether people are late from the start of their shift on also where nobody was checked in lately.
ALTER TABLE "businesses" ADD COLUMN "always_tells_late" BOOLEAN NOT NULL DEFAULT false;
