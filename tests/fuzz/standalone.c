// A fuzz target without libFuzzer: runs over the files and folders named on the command line.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return -1;
    }
    struct stat info;
    uint8_t *data = NULL;
    if (fstat(fileno(file), &info) == 0 && info.st_size >= 0)
        data = malloc((size_t)info.st_size + 1);
    size_t size = data ? fread(data, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    if (data)
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return data ? 1 : -1;
}

// How many files it ran over; -1 on failure.
static int run_path(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return run_file(path);
    int count = 0;
    for (struct dirent *entry; count >= 0 && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char name[1024];
        int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        int ran = length < (int)sizeof name ? run_file(name) : -1;
        count = ran < 0 ? -1 : count + ran;
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int k = 1; k < argc; k++) {
        int count = run_path(argv[k]);
        if (count < 0)
            return 1;
        total += count;
    }
    printf("%d inputs\n", total);
    return total > 0 ? 0 : 1;
}
