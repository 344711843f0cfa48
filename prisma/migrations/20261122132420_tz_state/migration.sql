-- CreateTable
CREATE TABLE "tz_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "tz_version" TEXT,
    "next_version" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "last_business" INTEGER NOT NULL DEFAULT 0,
    "last_event" INTEGER NOT NULL DEFAULT 0,
    "older_until" TIMESTAMPTZ(3),

    CONSTRAINT "tz_state_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tz_state_id_check" CHECK ("id" = 1)
);
