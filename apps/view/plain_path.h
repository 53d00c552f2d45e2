// The name of a file as it was meant.
#ifndef SILT_VIEW_PLAIN_PATH_H
#define SILT_VIEW_PLAIN_PATH_H

// GTK picks the name without its ending, so whoever types a whole name gets two of them: "mountain.obj.tif"
// where "mountain.obj" was meant, which this gives back, unless there is such a file already (GTK has not
// asked whether it may go). The caller frees it.
char *plain_path(const char *path, const char *offered, const char *patterns);

#endif
