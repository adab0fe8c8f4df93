/* A folder of a test's own, and its end. */
#ifndef SCA_TEST_TEMP_FOLDER_H
#define SCA_TEST_TEMP_FOLDER_H

enum { TEMP_FOLDER = 64 };

/* Makes a new one, and writes its path to `path`. */
void temp_folder(char path[TEMP_FOLDER]);
/* With all that is in it; it may be gone already. */
void temp_folder_drop(const char *path);

#endif
